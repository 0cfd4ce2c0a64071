import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { TbEye, TbEyeOff } from 'react-icons/tb';

/** A password field with a button that reveals the text. */
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
      // Sets `aria-invalid` on the input element, because Mantine sets it only on the wrapper.
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  );
}
