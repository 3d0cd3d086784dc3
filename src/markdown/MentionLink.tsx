import { type ReactNode, use } from 'react'

import { LinkContext } from '#src/ui/LinkContext.ts'
import classes from './MentionLink.module.css'

/** A mention, which is a link only if it has a page. */
export function MentionLink({ href, children }: { href: string | undefined; children?: ReactNode }) {
  const { Link } = use(LinkContext)
  if (href === undefined)
    return (
      <span className={classes.mention} data-mention="">
        {children}
      </span>
    )
  return (
    <Link href={href} className={classes.mention}>
      {children}
    </Link>
  )
}
