export interface DeliverySums {
  messages: number;
  queued: number;
  sent: number;
  delivered: number;
  failed: number;
}

type Counted = { [name in keyof DeliverySums]: number | null };

export function deliverySums(rows: readonly Counted[]): DeliverySums {
  const sum = (name: keyof DeliverySums) => rows.reduce((total, row) => total + (row[name] ?? 0), 0);
  return {
    messages: sum('messages'),
    queued: sum('queued'),
    sent: sum('sent'),
    delivered: sum('delivered'),
    failed: sum('failed'),
  };
}

/** How many of those that are decided went out, in per cent, cut off so that only all of them read 100. A dash where none is. */
export function deliveryRate({ messages, queued, failed }: DeliverySums): string {
  const decided = messages - queued;
  if (decided === 0) return '–';
  const percent = (100 * (decided - failed)) / decided;
  return percent === 100 ? '100 %' : `${(Math.floor(percent * 10) / 10).toFixed(1)} %`;
}
