import { Link } from 'react-router'

import type { LinkProps } from '#src/ui/LinkContext.ts'

export const RouterLink = ({ href, ...props }: LinkProps) => <Link to={href} {...props} />
