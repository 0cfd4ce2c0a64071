/**
 * Import this file before Grafast, which reads this variable when it is loaded. In development, Grafast performs
 * additional checks.
 */
process.env.GRAPHILE_ENV ??= process.env.NODE_ENV === 'development' ? 'development' : 'production';
