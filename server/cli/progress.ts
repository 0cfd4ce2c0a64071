/** Draws a progress bar on a terminal. Without a terminal, prints one line at the start and another line at the end. */
export function progressBar(title: string): (done: number, total: number, label: string) => void {
  const { stdout } = process;
  let begun = false;
  let finished = false;
  return (done, total, label) => {
    if (finished) return;
    const share = total > 0 ? Math.min(1, done / total) : 1;
    if (stdout.isTTY) {
      const filled = Math.round(share * 30);
      stdout.write(
        `\r\x1b[K${title} [${'#'.repeat(filled)}${'.'.repeat(30 - filled)}] ${Math.round(share * 100)} % ${label}`,
      );
      if (share === 1) stdout.write('\n');
    } else if (!begun || share === 1) {
      console.log(share === 1 ? `${title}: done.` : `${title}…`);
    }
    begun = true;
    finished = share === 1;
  };
}
