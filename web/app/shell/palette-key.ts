const isApple = /mac|iphone|ipad/i.test(navigator.userAgent);

/** The palette's shortcut, as written on this platform. */
export const paletteKey = isApple ? '⌘ K' : 'Ctrl K';
