import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { TbEye, TbEyeOff } from 'react-icons/tb';

/** A password field with the eye that shows what was typed. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      size="md"
      required
      withAsterisk={false}
      visibilityToggleIcon={({ reveal }) =>
        reveal ? <TbEyeOff size={16} strokeWidth={1.75} /> : <TbEye size={16} strokeWidth={1.75} />
      }
      visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
      // The parts below set it for their frame alone.
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  );
}
