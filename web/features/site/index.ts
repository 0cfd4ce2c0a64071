export { SitePicker } from './SitePicker.tsx';
