const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

/** The keys of the palette, as this machine writes them. */
export const paletteKey = isApple ? '⌘ K' : 'Ctrl K';
