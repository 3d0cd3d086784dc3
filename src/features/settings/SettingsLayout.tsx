import { useSuspenseQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link, Outlet, useLocation } from 'react-router'

import { whoamiOptions } from '#src/api/identity.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { paths } from '#src/paths.ts'
import links from '#src/ui/side-links.module.css'
import classes from './SettingsLayout.module.css'
import { settingsFor } from './settings-pages.ts'

/** The pages of settings beside their list, which is above them on a phone. */
export function Component() {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  return (
    <div className={classes.layout}>
      <nav aria-label="Settings" className={classes.nav}>
        {settingsFor(caller, permissionsOf(caller)).map((group) => (
          <Group key={group.heading} {...group} />
        ))}
      </nav>
      <div className={classes.page}>
        <Outlet />
      </div>
    </div>
  )
}

/** On a phone, scrolls the line of pages to the current one. */
function showInLine(link: HTMLElement | null) {
  const line = link?.closest('ul')
  if (!link || !line) return
  line.scrollLeft += link.getBoundingClientRect().left - line.getBoundingClientRect().left
}

function Group({ heading, pages }: ReturnType<typeof settingsFor>[number]) {
  const { pathname } = useLocation()
  const id = useId()
  return (
    <div className={classes.group}>
      <p id={id} className={links.heading}>
        {heading}
      </p>
      <ul aria-labelledby={id} className={links.list}>
        {pages.map(({ page, label }) => {
          const path = paths.settings(page)
          const isBelow = pathname.startsWith(`${path}/`)
          const current = pathname === path ? 'page' : isBelow || undefined
          return (
            <li key={page}>
              <Link to={path} className={links.link} aria-current={current} ref={current && showInLine}>
                {label}
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
