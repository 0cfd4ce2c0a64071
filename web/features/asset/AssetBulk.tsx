import { EnableBulk } from '../../kit/record/EnableBulk.tsx';
import type { AssetRow } from './asset.queries.ts';
import { changeAsset, removeAsset } from './asset-record.queries.ts';

interface AssetBulkProps {
  assets: readonly AssetRow[];
  /** Called after an action with the assets that remain selected; an empty list clears the selection. */
  onSelect: (assets: readonly AssetRow[]) => void;
}

export function AssetBulk({ assets, onSelect }: AssetBulkProps) {
  return (
    <EnableBulk
      noun="asset"
      records={assets}
      onSelect={onSelect}
      nameOf={(asset) => [asset.name, asset.site?.name].filter(Boolean).join(', ')}
      change={changeAsset}
      remove={removeAsset}
    />
  );
}
