import { ActionIcon } from '@mantine/core';
import { TbVolume, TbVolumeOff } from 'react-icons/tb';
import { LightTooltip } from '../../../ui/LightTooltip.tsx';
import switches from '../../../ui/Switches.module.css';
import { useStore } from '../../../ui/store.ts';
import { toast } from '../../../ui/toast/toast.ts';
import { chooseSound, soundIsOn } from './sound.ts';

/** User menu entry that turns the sound of new alarms on or off in this browser. */
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

/** Button beside the alarm list that turns the sound of new alarms on or off in this browser. */
export function SoundButton() {
  const isOn = useStore(soundIsOn);
  const Icon = isOn ? TbVolume : TbVolumeOff;
  return (
    <LightTooltip label={() => (isOn ? 'Mute new alarms' : 'Play a sound for new alarms')}>
      <ActionIcon
        variant="default"
        size="var(--control)"
        role="switch"
        aria-checked={isOn}
        aria-label="Sound of new alarms"
        onClick={() => {
          chooseSound(!isOn);
          // Confirm the change with a toast, because touch screens show no tooltip.
          toast.info(isOn ? 'New alarms are muted in this browser.' : 'New alarms play a sound in this browser.');
        }}
      >
        <Icon size={16} strokeWidth={1.75} aria-hidden />
      </ActionIcon>
    </LightTooltip>
  );
}
