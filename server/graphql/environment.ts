/** Grafast reads this variable when it is loaded, to decide how much it checks. Import this file first. */
process.env.GRAPHILE_ENV ??= process.env.NODE_ENV === 'development' ? 'development' : 'production';
