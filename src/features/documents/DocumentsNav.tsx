import { NavLink } from 'react-router'

import { paths } from '#src/paths.ts'
import links from '#src/ui/side-links.module.css'
import type { Chapter } from './contents.ts'
import classes from './DocumentsNav.module.css'
import { contentsFile, resolveLink } from './files.ts'

/** The documents by kind of reader. On a phone they are folded. */
export function DocumentsNav({ chapters }: { chapters: readonly Chapter[] }) {
  const lists = chapters.map(({ title, entries }) => (
    <section key={title} aria-label={title}>
      <p className={links.heading}>{title}</p>
      <ul className={links.list}>
        {entries.map((entry) => (
          <li key={entry.file}>
            <NavLink end to={resolveLink(contentsFile, entry.file) ?? paths.documents()} className={links.link}>
              {entry.title}
            </NavLink>
          </li>
        ))}
      </ul>
    </section>
  ))
  return (
    <nav aria-label="Documents">
      <div className={classes.wide}>{lists}</div>
      <details className={classes.narrow}>
        <summary>All documents</summary>
        {lists}
      </details>
    </nav>
  )
}
