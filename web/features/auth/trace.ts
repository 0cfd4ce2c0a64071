// Points (x, y) at which the drawn water level changes direction: it repeatedly rises and is pumped down. The picture
// is 1440 by 200 pixels.
const TURNS: readonly (readonly [number, number])[] = [
  [0, 133],
  [100, 64],
  [152, 132],
  [312, 58],
  [384, 133],
  [504, 60],
  [549, 132],
  [643, 65],
  [695, 132],
  [837, 69],
  [915, 132],
  [1052, 75],
  [1097, 132],
  [1194, 77],
  [1240, 133],
  [1364, 73],
  [1440, 133],
];

const STEP = 4;

/** Returns the SVG path of the line in the background: it runs through the turning points, with deterministic noise. */
export function tracePath(): string {
  const points: string[] = [];
  for (let x = 0; x <= 1440; x += STEP) {
    points.push(`${x} ${(levelAt(x) + noiseAt(x)).toFixed(1)}`);
  }
  return `M${points.join('L')}`;
}

function levelAt(x: number): number {
  const next = TURNS.findIndex(([turn]) => turn >= x);
  const [x1, y1] = TURNS[next] ?? [1440, 133];
  const [x0, y0] = TURNS[next - 1] ?? [0, 133];
  return x1 === x0 ? y1 : y0 + ((x - x0) / (x1 - x0)) * (y1 - y0);
}

function noiseAt(x: number): number {
  const noise = Math.sin(x * 12.9898) * 43758.5453;
  return (noise - Math.floor(noise) - 0.5) * 2.2;
}
