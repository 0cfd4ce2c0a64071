/** Import this file first: Grafast reads this variable when it is loaded and checks more in development. */
process.env.GRAPHILE_ENV ??= process.env.NODE_ENV === 'development' ? 'development' : 'production';
