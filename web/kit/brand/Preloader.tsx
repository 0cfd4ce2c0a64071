import { Mark } from './Mark.tsx';

/** Splash screen until the login status is known. Its styles are in styles/base.css, shared with index.html. */
export function Preloader() {
  return (
    <div className="preloader" role="status" aria-label="Loading">
      <Mark size={48} className="preloader__mark" squareClassName="preloader__square" bellClassName="preloader__bell" />
    </div>
  );
}
