import { ActionIcon, Tooltip } from '@mantine/core';
import { TbVolume, TbVolumeOff } from 'react-icons/tb';
import switches from '../../../ui/Switches.module.css';
import { useStore } from '../../../ui/store.ts';
import { toast } from '../../../ui/toast/toast.ts';
import { chooseSound, soundIsOn } from './sound.ts';

/** Whether a new alarm makes a sound in this browser, as an entry of the person's own menu. */
export function SoundSwitch({ className }: { className: string | undefined }) {
  const isOn = useStore(soundIsOn);
  const Icon = isOn ? TbVolume : TbVolumeOff;
  return (
    <button type="button" role="switch" aria-checked={isOn} className={className} onClick={() => chooseSound(!isOn)}>
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      Sound of new alarms
      <span className={switches.state} data-on={isOn || undefined} aria-hidden>
        <span />
      </span>
    </button>
  );
}

/** The same beside the list of alarms, where it is wanted in a hurry. */
export function SoundButton() {
  const isOn = useStore(soundIsOn);
  const Icon = isOn ? TbVolume : TbVolumeOff;
  return (
    <Tooltip label={isOn ? 'Silence new alarms' : 'Let new alarms sound'}>
      <ActionIcon
        variant="default"
        size="var(--control)"
        role="switch"
        aria-checked={isOn}
        aria-label="Sound of new alarms"
        onClick={() => {
          chooseSound(!isOn);
          // A finger gets no tooltip.
          toast.info(isOn ? 'New alarms are silent in this browser.' : 'New alarms sound in this browser.');
        }}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
