/** Grafast decides by this variable, at the moment it is loaded, how much it checks itself. Import this before it. */
process.env.GRAPHILE_ENV ??= process.env.NODE_ENV === 'development' ? 'development' : 'production';
