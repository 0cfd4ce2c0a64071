export { isProfileOpen } from './profile-open.ts';
export { StartPageOffer } from './StartPageOffer.tsx';
