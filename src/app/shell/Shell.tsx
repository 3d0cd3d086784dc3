import { IconMenu2, IconX } from '@tabler/icons-react'
import { useSuspenseQuery, useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState, lazy } from 'react'
import { Link, type Location, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { useLocalStorage } from '@mantine/hooks'

import { useInfiniteList } from '#src/api/infinite-list.ts'
import { savedViewListOptions } from '#src/api/saved-views.ts'
import { startOf } from '#src/shared/saved-views/saved-view-links.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { paths } from '#src/paths.ts'
import { readFocus } from '#src/url/focus-state.ts'
import icon from '#src/ui/icon.svg?inline'
import { AppLoading } from './AppLoading.tsx'
import { PendingBar } from './PendingBar.tsx'
import type { WhoAmI, SandboxStatus } from '#contract/identity.ts'
import { unreadOptions } from '#src/api/notifications.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { Overlays } from './Overlays.tsx'
import { OrganizationSwitch } from './OrganizationSwitch.tsx'
import classes from './Shell.module.css'
import { UserMenu } from './UserMenu.tsx'
import { navigation } from '#src/navigation.ts'
import { NotificationButton } from './NotificationButton.tsx'

const NotificationPopover = lazy(async () => ({
  default: (await import('./NotificationPopover.tsx')).NotificationPopover,
}))

/** The number of unread notifications; opens the latest ones. The popover's code loads on the first click. */
function NotificationBell({ keyKind }: { keyKind: WhoAmI['keyKind'] }) {
  const isPerson = keyKind === 'personal'
  const { data, error } = useQuery({ ...unreadOptions(), enabled: isPerson })
  const [isWanted, setIsWanted] = useState(false)
  const unread = data?.entries.length ?? 0
  const shown = data?.next_cursor ? `${unread}+` : `${unread}`
  const looks = { unread: !data && error ? '?' : unread > 0 ? shown : null }
  const button = <NotificationButton {...looks} onClick={() => setIsWanted(true)} />
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <NotificationPopover {...looks} isPerson={isPerson} />
    </Suspense>
  )
}

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
      <section aria-label="Sidebar" className={classes.sidebar} data-open={isOpen || undefined}>
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
        <UserMenu caller={caller} />
      </section>
      <main ref={main} id="main" tabIndex={-1} className={classes.main}>
        <SandboxNotice sandbox={caller.sandbox} />
        <Suspense fallback={<AppLoading />}>
          <Outlet />
        </Suspense>
      </main>
      <ScrollRestoration getKey={scrollKey} />
    </div>
  )
}

/** Typed and pasted URLs share one key, so the path is added to keep each page's scroll position. */
const scrollKey = ({ key, pathname, search }: Location) => (key === 'default' ? `${pathname}${search}` : key)

function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { pathname } = useLocation()
  const { rows: views } = useInfiniteList(savedViewListOptions())
  return (
    <nav aria-label="Main" className={classes.nav}>
      {navigation.map(({ label, href, match, icon: Icon, viewed }) => (
        <Link
          key={label}
          to={viewed ? startOf(views, { page: viewed }) : href}
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

/** Shown once: why real runs can't start here. */
function SandboxNotice({ sandbox }: { sandbox: SandboxStatus }) {
  const reason = sandbox.reason ?? 'No sandbox found.'
  const [seen, setSeen] = useLocalStorage({
    key: 'assay.sandbox-notice',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  if (sandbox.available || seen === reason) return null
  return (
    <div className={classes.notice}>
      <Notice title="Real runs aren’t available on this machine." onClose={() => setSeen(reason)}>
        {reason} Mock runs still work.
      </Notice>
    </div>
  )
}
