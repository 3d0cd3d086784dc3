import { IconMenu2, IconX } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { Link, type Location, Outlet, ScrollRestoration, useLocation } from 'react-router'

import { whoamiOptions } from '#src/api/identity.ts'
import { paths } from '#src/paths.ts'
import { readFocus } from '#src/url/focus-state.ts'
import { Overlays } from './Overlays.tsx'
import { Navigation } from './Navigation.tsx'
import { NotificationBell } from './NotificationBell.tsx'
import { OrganizationSwitch } from './OrganizationSwitch.tsx'
import icon from '#src/ui/icon.svg?inline'
import { Starting } from '#src/app/Starting.tsx'
import { PendingBar } from '#src/app/PendingBar.tsx'
import { SandboxNotice } from './SandboxNotice.tsx'
import classes from './Shell.module.css'
import { UserMenu } from './UserMenu.tsx'

/** Navigation left (behind a burger on small screens), the page right. */
export function Shell() {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  const { pathname, state } = useLocation()
  const focusIsPlaced = readFocus(state) !== null
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  // Browser API: focus. A new page starts at its top for keyboard and screen reader users, as it would without a
  // router.
  useEffect(() => {
    if (shown.current !== pathname && !focusIsPlaced) main.current?.focus({ preventScroll: true })
    shown.current = pathname
  }, [pathname, focusIsPlaced])
  return (
    <div className={classes.shell}>
      <a href="#main" className={classes.skip}>
        Skip to main content
      </a>
      <PendingBar />
      <header className={classes.header}>
        <button type="button" className={classes.burger} aria-label="Open navigation" onClick={() => setIsOpen(true)}>
          <IconMenu2 size={18} stroke={1.6} aria-hidden />
        </button>
        <Link to={paths.home()} className={classes.brand}>
          Assay
        </Link>
        <NotificationBell keyKind={caller.keyKind} />
      </header>
      <div className={classes.sidebar} data-open={isOpen || undefined}>
        <div className={classes.top}>
          <button type="button" className={classes.burger} aria-label="Close navigation" onClick={close}>
            <IconX size={18} stroke={1.6} aria-hidden />
          </button>
          <Link to={paths.home()} className={classes.brand} onClick={close}>
            <img src={icon} alt="" width={20} height={20} /> Assay
          </Link>
          <div className={classes.bell}>
            <NotificationBell keyKind={caller.keyKind} />
          </div>
        </div>
        <OrganizationSwitch organizations={caller.organizations} />
        <Overlays onOpen={close} />
        <Navigation onNavigate={close} />
        <UserMenu actor={caller.actor} />
      </div>
      <main ref={main} id="main" tabIndex={-1} className={classes.main}>
        <SandboxNotice sandbox={caller.sandbox} />
        <Suspense fallback={<Starting />}>
          <Outlet />
        </Suspense>
      </main>
      <ScrollRestoration getKey={placeOf} />
    </div>
  )
}

/** Typed and pasted URLs share one key, so the path is added to keep each page's scroll position. */
const placeOf = ({ key, pathname, search }: Location) => (key === 'default' ? `${pathname}${search}` : key)
