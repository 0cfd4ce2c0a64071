export { GroupPicker } from './GroupPicker.tsx';
