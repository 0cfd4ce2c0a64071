import { slotStart } from '../../domain/health.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import { isFromInactiveSensor, type Job } from './job.ts';

/** Records the health slots in which a site sent data. */
export class HealthSlots {
  /** Last written slot of each site. */
  readonly #written = new Map<string, number>();

  async fill(tx: Transaction, jobs: readonly Job[], now: Date): Promise<void> {
    const filled = new Map<string, { site: string; customer: string; slot: number }>();
    for (const { sensorDeliveries, delivery } of jobs) {
      if (delivery.contact === false) continue;
      for (const { sensor, refusal } of sensorDeliveries) {
        if (isFromInactiveSensor(refusal)) continue;
        for (const site of sensor.sites) {
          const slot = slotStart(now, site.healthHours).getTime();
          if (this.#written.get(site.uuid) !== slot) {
            filled.set(site.uuid, { site: site.uuid, customer: site.customerUuid, slot });
          }
        }
      }
    }
    if (filled.size === 0) return;
    await tx.query(
      `insert into tocsin.health_slot (tocsin_site_uuid, tocsin_customer_uuid, slot_start)
       select site, customer, to_timestamp(slot / 1000) from ${recordset('s', { site: 'uuid', customer: 'uuid', slot: 'float8' })}
       where exists (select from tocsin.site x where x.uuid = site and x.tocsin_customer_uuid = customer)
       on conflict do nothing`,
      [JSON.stringify([...filled.values()])],
    );
    // The slot is cached before the commit. If the transaction fails, `forget` clears the cache, so that the slot is
    // written again.
    for (const { site, slot } of filled.values()) this.#written.set(site, slot);
  }

  /** Clears the cache after a rollback. */
  forget(): void {
    this.#written.clear();
  }
}
