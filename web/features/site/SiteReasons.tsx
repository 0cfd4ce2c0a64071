import { Checkbox, Input } from '@mantine/core';
import type { ReactNode } from 'react';
import { rowsOf } from '../../kit/list/list.ts';
import { byLabel } from '../../kit/record/LinkList.tsx';
import type { Option } from '../../kit/record/Picker.tsx';
import classes from './SiteForm.module.css';
import type { SiteRecord } from './site-record.queries.ts';

interface SiteReasonsProps {
  site: SiteRecord | null;
  value: readonly Option[];
  onChange: (next: Option[]) => void;
  /** Error from the server about the linked reasons, shown above the list. */
  error?: ReactNode;
}

/** Lists the reasons from the site's rule alerts. The user selects which of them are linked to the site. */
export function SiteReasons({ site, value, onChange, error }: SiteReasonsProps) {
  const alerts = rowsOf(site?.ruleAlerts).filter((alert) => rowsOf(alert.reasons).length > 0);
  const offered = new Set(alerts.flatMap((alert) => rowsOf(alert.reasons).map((reason) => reason.uuid)));
  const others = value.filter((option) => !offered.has(option.value));
  const line = (option: Option) => (
    <Checkbox
      key={option.value}
      label={option.label}
      checked={value.some((chosen) => chosen.value === option.value)}
      onChange={(event) =>
        onChange(
          event.currentTarget.checked
            ? [...value, option].sort(byLabel)
            : value.filter((chosen) => chosen.value !== option.value),
        )
      }
    />
  );
  if (alerts.length === 0 && others.length === 0) {
    return (
      <p className={classes.quiet}>
        This site has no rule alerts yet. Add a rule alert to define reasons; until then, people acknowledge with free
        text.
      </p>
    );
  }
  return (
    <>
      {error ? <Input.Error role="alert">{error}</Input.Error> : null}
      <p className={classes.quiet}>
        A reason without a linked site can be used wherever its rule alert applies. A linked reason can be used only at
        its linked sites.
      </p>
      {alerts.map((alert) => (
        <fieldset key={alert.uuid} className={classes.reasons}>
          <legend>{alert.tocsinRuleName}</legend>
          {rowsOf(alert.reasons)
            .map((reason) => ({ value: reason.uuid, label: reason.reason }))
            .map(line)}
        </fieldset>
      ))}
      {others.length > 0 ? (
        <fieldset className={classes.reasons}>
          <legend>From rule alerts of other sites</legend>
          {others.map(line)}
        </fieldset>
      ) : null}
    </>
  );
}
