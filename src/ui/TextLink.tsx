import { use } from 'react'

import { LinkContext, type LinkProps } from './LinkContext.ts'
import classes from './TextLink.module.css'

/** A link within the product, in the link color. */
export function TextLink({ className, ...props }: LinkProps) {
  const { Link } = use(LinkContext)
  return <Link {...props} className={className ? `${classes.link} ${className}` : classes.link} />
}
