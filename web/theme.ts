import {
  type CSSVariablesResolver,
  colorsTuple,
  createTheme,
  defaultVariantColorsResolver,
  localStorageColorSchemeManager,
  type VariantColorsResolver,
} from '@mantine/core';

/** Stores the chosen theme in local storage. public/theme.js reads the same key. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'tocsin-theme' });

// The primary colour is dark in the light theme and light in the dark theme. The text on primary-coloured elements must
// change too, but Mantine would keep it white.
const variantColorResolver: VariantColorsResolver = (input) => {
  if (input.color === 'ink' && input.variant === 'filled') {
    return { background: 'var(--ink)', hover: 'var(--text-2)', color: 'var(--on-ink)', border: 'none' };
  }
  if (input.color === 'ink' && input.variant === 'subtle') {
    return { background: 'transparent', hover: 'var(--hover)', color: 'var(--text-2)', border: 'none' };
  }
  return defaultVariantColorsResolver(input);
};

export const theme = createTheme({
  fontFamily: 'var(--font)',
  defaultRadius: 6,
  primaryColor: 'ink',
  colors: { ink: colorsTuple('#1a1f25') },
  variantColorResolver,
  respectReducedMotion: true,
  focusRing: 'never',
  cursorType: 'pointer',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  components: {
    // Shows the description and the error below the field.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    // Focuses the first item when a menu opens.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
  },
});

const shared = {
  '--mantine-color-body': 'var(--page)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-3)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-anchor': 'var(--text)',
  '--mantine-color-error': 'var(--critical-fg)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--border-strong)',
  '--mantine-primary-color-filled': 'var(--ink)',
  '--mantine-primary-color-filled-hover': 'var(--text-2)',
  '--mantine-primary-color-contrast': 'var(--on-ink)',
  '--mantine-color-ink-filled': 'var(--ink)',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });
