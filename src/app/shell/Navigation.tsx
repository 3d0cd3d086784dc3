import { Link, useLocation } from 'react-router'

import { navigation } from './navigation.ts'
import classes from './Shell.module.css'

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Main" className={classes.nav}>
      {navigation.map(({ label, href, match, icon: Icon }) => (
        <Link
          key={label}
          to={href}
          className={classes.navLink}
          aria-current={match.test(pathname) ? 'page' : undefined}
          onClick={onNavigate}
        >
          <Icon size={16} stroke={1.6} aria-hidden />
          {label}
        </Link>
      ))}
    </nav>
  )
}
