const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

/** The palette's shortcut in this platform's notation. */
export const paletteKey = isApple ? '⌘ K' : 'Ctrl K';
