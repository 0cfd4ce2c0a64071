import '@fontsource-variable/inter/wght.css';
import './reset.css';
import './mantine.css';
import './tokens.css';
import './base.css';
import './mantine-parts.css';
