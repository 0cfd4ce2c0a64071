/** An import of one source file by another source file. Both paths are relative to the project's root. */
export interface Import {
  from: string;
  to: string;
}

/**
 * Returns imports that violate the order of the groups. A group may import only itself and the groups before it in
 * `order`. Imports of files outside `order` are also returned.
 */
export function upwardImports(imports: readonly Import[], order: readonly string[], groupOf: (file: string) => string) {
  const rank = new Map(order.map((group, index) => [group, index]));
  return imports
    .filter(({ from, to }) => {
      const [above, below] = [rank.get(groupOf(from)), rank.get(groupOf(to))];
      return above === undefined || below === undefined || below > above;
    })
    .map(({ from, to }) => `${from} imports ${to}`);
}

/** Returns pairs of groups that import each other. */
export function mutualPairs(imports: readonly Import[], groupOf: (file: string) => string): string[] {
  const edges = new Set(imports.map(({ from, to }) => `${groupOf(from)} ↔ ${groupOf(to)}`));
  return [...edges].filter((edge) => {
    const [a = '', b = ''] = edge.split(' ↔ ');
    return a < b && edges.has(`${b} ↔ ${a}`);
  });
}

/** Returns folders that contain more than `most` of these files. */
export function crowdedFolders(files: readonly string[], most: number): string[] {
  const byFolder = Map.groupBy(files, (file) => file.slice(0, file.lastIndexOf('/')));
  return [...byFolder].filter(([, { length }]) => length > most).map(([folder, { length }]) => `${folder}: ${length}`);
}
