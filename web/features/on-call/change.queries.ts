import type { LayerValues } from '../../../domain/on-call/refusals.ts';
import type { Period } from '../../../domain/on-call/rota.ts';
import { ask, graphql } from '../../api/graphql.ts';

const saveLayer = graphql(`
  mutation SaveRotaLayer($input: SaveRotaLayerInput!) {
    saveRotaLayer(input: $input) {
      result {
        uuid
      }
    }
  }
`);

/** Saves a layer. Without a rota, adds a rota with this layer. Returns the rota's uuid. */
export async function sendLayer(
  { hours, personUuids, ...values }: LayerValues,
  of: { uuid?: string; rotaUuid?: string; rotaName?: string },
): Promise<string> {
  const input = { ...values, ...of, personUuids: [...personUuids], hours };
  return (await ask(saveLayer, { input })).saveRotaLayer?.result?.uuid ?? '';
}

const renameRota = graphql(`
  mutation RenameRota($rotaUuid: UUID!, $name: String!) {
    renameRota(input: { rotaUuid: $rotaUuid, name: $name }) {
      result {
        uuid
      }
    }
  }
`);

export async function sendRotaName(rotaUuid: string, name: string): Promise<void> {
  await ask(renameRota, { rotaUuid, name });
}

const deleteRota = graphql(`
  mutation DeleteRota($rotaUuid: UUID!) {
    deleteRota(input: { rotaUuid: $rotaUuid }) {
      result {
        uuid
      }
    }
  }
`);

export async function removeRota(rotaUuid: string): Promise<void> {
  await ask(deleteRota, { rotaUuid });
}

const deleteLayer = graphql(`
  mutation DeleteRotaLayer($layerUuid: UUID!) {
    deleteRotaLayer(input: { layerUuid: $layerUuid }) {
      result {
        uuid
      }
    }
  }
`);

export async function removeLayer(layerUuid: string): Promise<void> {
  await ask(deleteLayer, { layerUuid });
}

const addOverride = graphql(`
  mutation AddRotaOverride($input: AddRotaOverrideInput!) {
    addRotaOverride(input: $input) {
      result {
        uuid
      }
    }
  }
`);

export interface OverrideInput {
  layerUuid: string;
  startsAt: string;
  endsAt: string;
  offUuid: string | null;
  coverUuid: string | null;
  reason: string;
}

export async function sendOverride(input: OverrideInput): Promise<void> {
  await ask(addOverride, { input });
}

const deleteOverride = graphql(`
  mutation DeleteRotaOverride($overrideUuid: UUID!) {
    deleteRotaOverride(input: { overrideUuid: $overrideUuid }) {
      overrideUuid
    }
  }
`);

export async function removeOverride(overrideUuid: string): Promise<void> {
  await ask(deleteOverride, { overrideUuid });
}

const confirmGap = graphql(`
  mutation ConfirmRotaGap($layerUuid: UUID!, $startsAt: Datetime!, $endsAt: Datetime!) {
    confirmRotaGap(input: { layerUuid: $layerUuid, startsAt: $startsAt, endsAt: $endsAt }) {
      result {
        uuid
      }
    }
  }
`);

const iso = (at: number) => new Date(at).toISOString();

export async function sendGapConfirmation(layerUuid: string, { startsAt, endsAt }: Period): Promise<void> {
  await ask(confirmGap, { layerUuid, startsAt: iso(startsAt), endsAt: iso(endsAt) });
}

const askSwap = graphql(`
  mutation AskRotaSwap($input: AskRotaSwapInput!) {
    askRotaSwap(input: $input) {
      result {
        uuid
      }
    }
  }
`);

export async function sendSwap(layerUuid: string, colleagueUuid: string, shift: Period, back: Period | null) {
  const returned = back && { backStartsAt: iso(back.startsAt), backEndsAt: iso(back.endsAt) };
  await ask(askSwap, {
    input: { layerUuid, colleagueUuid, startsAt: iso(shift.startsAt), endsAt: iso(shift.endsAt), ...returned },
  });
}

const acceptSwap = graphql(`
  mutation AcceptRotaSwap($swapUuid: UUID!) {
    acceptRotaSwap(input: { swapUuid: $swapUuid }) {
      result {
        uuid
      }
    }
  }
`);
const declineSwap = graphql(`
  mutation DeclineRotaSwap($swapUuid: UUID!) {
    declineRotaSwap(input: { swapUuid: $swapUuid }) {
      result {
        uuid
      }
    }
  }
`);
const cancelSwap = graphql(`
  mutation CancelRotaSwap($swapUuid: UUID!) {
    cancelRotaSwap(input: { swapUuid: $swapUuid }) {
      result {
        uuid
      }
    }
  }
`);

export async function sendSwapAnswer(swapUuid: string, answer: 'accept' | 'decline' | 'cancel'): Promise<void> {
  if (answer === 'accept') await ask(acceptSwap, { swapUuid });
  else if (answer === 'decline') await ask(declineSwap, { swapUuid });
  else await ask(cancelSwap, { swapUuid });
}

const renewFeed = graphql(`
  mutation RenewCalendarFeed($rotaUuid: UUID) {
    renewCalendarFeed(input: { rotaUuid: $rotaUuid }) {
      path
    }
  }
`);

/** Creates or replaces the address of a feed. Returns its path, which the server does not tell again. */
export async function sendFeedRenewal(rotaUuid: string | null): Promise<string> {
  return (await ask(renewFeed, { rotaUuid })).renewCalendarFeed?.path ?? '';
}
