import { useSuspenseQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link, Outlet, useLocation } from 'react-router'

import { whoamiOptions } from '#src/api/identity.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { paths } from '#src/paths.ts'
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

function Group({ heading, pages }: ReturnType<typeof settingsFor>[number]) {
  const { pathname } = useLocation()
  const id = useId()
  return (
    <div className={classes.group}>
      <p id={id} className={classes.heading}>
        {heading}
      </p>
      <ul aria-labelledby={id} className={classes.list}>
        {pages.map(({ page, label }) => (
          <li key={page}>
            <Link
              to={paths.settings(page)}
              className={classes.link}
              aria-current={pathname === paths.settings(page) ? 'page' : undefined}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
