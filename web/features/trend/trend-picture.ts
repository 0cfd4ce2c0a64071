import { dashOf, type Line } from './lines.ts';

const LINE = 18;
const EDGE = 16;

/** Downloads the chart as an image, with its time range and legend. */
export async function savePicture(
  name: string,
  title: string,
  lines: readonly Pick<Line, 'label' | 'unit' | 'colour' | 'dash'>[],
  panels: readonly HTMLCanvasElement[],
): Promise<void> {
  const blob = await pictureOf(title, lines, panels);
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

function pictureOf(
  title: string,
  lines: readonly Pick<Line, 'label' | 'unit' | 'colour' | 'dash'>[],
  panels: readonly HTMLCanvasElement[],
): Promise<Blob> {
  const style = getComputedStyle(document.body);
  const colour = (variable: string) => style.getPropertyValue(variable).trim();
  const ratio = devicePixelRatio;
  const head = (EDGE + LINE * (1 + lines.length) + EDGE / 2) * ratio;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(320, ...panels.map(({ width }) => width));
  canvas.height = head + panels.reduce((sum, { height }) => sum + height, 0) + EDGE * ratio;
  const ctx = canvas.getContext('2d');
  if (!ctx || panels.length === 0) return Promise.reject(new Error('There is nothing to show.'));
  ctx.fillStyle = colour('--surface');
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.textBaseline = 'middle';
  ctx.fillStyle = colour('--text');
  ctx.font = `600 ${13 * ratio}px ${style.fontFamily}`;
  ctx.fillText(title, EDGE * ratio, (EDGE + LINE / 2) * ratio);
  ctx.font = `400 ${12 * ratio}px ${style.fontFamily}`;
  for (const [index, line] of lines.entries()) {
    const y = (EDGE + LINE * (index + 1.5)) * ratio;
    ctx.strokeStyle = colour(`--series-${line.colour}`);
    ctx.lineWidth = 2 * ratio;
    ctx.setLineDash(dashOf(line).map((length) => length * ratio));
    ctx.beginPath();
    ctx.moveTo(EDGE * ratio, y);
    ctx.lineTo((EDGE + 18) * ratio, y);
    ctx.stroke();
    ctx.fillText(line.unit ? `${line.label} (${line.unit})` : line.label, (EDGE + 26) * ratio, y);
  }
  let top = head;
  for (const panel of panels) {
    ctx.drawImage(panel, 0, top);
    top += panel.height;
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), 'image/png');
  });
}
