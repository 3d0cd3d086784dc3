import { AppShell, Box, Burger } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { Link, type Location, Outlet, ScrollRestoration, useLocation } from 'react-router'

import { whoamiOptions } from '#src/api/identity.ts'
import { paths } from '#src/paths.ts'
import { readFocus } from '#src/url/focus-state.ts'
import { Overlays } from './Overlays.tsx'
import { Navigation } from './Navigation.tsx'
import { NotificationBell } from './NotificationBell.tsx'
import { OrganizationSwitch } from './OrganizationSwitch.tsx'
import { Starting } from '#src/app/Starting.tsx'
import { PendingBar } from '#src/app/PendingBar.tsx'
import { SandboxNotice } from './SandboxNotice.tsx'
import classes from './Shell.module.css'
import { UserMenu } from './UserMenu.tsx'

/** Navigation left (behind a burger on small screens), the page right. */
export function Shell() {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const [isOpen, { toggle, close }] = useDisclosure()
  const { pathname, state } = useLocation()
  const focusIsPlaced = readFocus(state) !== null
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  // Browser API: focus. A new page begins at its top for keyboard and screen reader, as it would without a router.
  useEffect(() => {
    if (shown.current !== pathname && !focusIsPlaced) main.current?.focus({ preventScroll: true })
    shown.current = pathname
  }, [pathname, focusIsPlaced])
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 48, sm: 0 } }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={0}
      transitionDuration={0}
    >
      <a href="#main" className={classes.skip}>
        Skip to the page
      </a>
      <PendingBar />
      <AppShell.Header hiddenFrom="sm" className={classes.header}>
        <Burger
          size="sm"
          opened={isOpen}
          onClick={toggle}
          aria-label={isOpen ? 'Close navigation' : 'Open navigation'}
        />
        <Link to={paths.home()} className={classes.brand}>
          Assay
        </Link>
        <NotificationBell keyKind={caller.keyKind} />
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar}>
        <div className={classes.top}>
          <Burger hiddenFrom="sm" size="sm" opened onClick={close} aria-label="Close navigation" />
          <Link to={paths.home()} className={classes.brand} onClick={close}>
            <img src="/icon.svg" alt="" width={20} height={20} /> Assay
          </Link>
          <Box visibleFrom="sm" className={classes.bell}>
            <NotificationBell keyKind={caller.keyKind} />
          </Box>
        </div>
        <OrganizationSwitch organizations={caller.organizations} />
        <Overlays onOpen={close} />
        <Navigation onNavigate={close} />
        <UserMenu actor={caller.actor} />
      </AppShell.Navbar>
      <AppShell.Main ref={main} id="main" tabIndex={-1} className={classes.main}>
        <SandboxNotice sandbox={caller.sandbox} />
        <Suspense fallback={<Starting />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <ScrollRestoration getKey={placeOf} />
    </AppShell>
  )
}

/** Every address that is typed or pasted has the same key; each page keeps its own place all the same. */
const placeOf = ({ key, pathname, search }: Location) => (key === 'default' ? `${pathname}${search}` : key)
