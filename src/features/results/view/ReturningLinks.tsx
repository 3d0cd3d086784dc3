import { type ContextType, createContext, type ReactNode, use, useMemo } from 'react'
import { useSearchParams } from 'react-router'

import { paths } from '#src/paths.ts'
import { LinkContext, type LinkProps } from '#src/ui/LinkContext.ts'

const PlainLinks = createContext<Pick<ContextType<typeof LinkContext>, 'Link'>>({ Link: () => null })

/** Links to runs carry the query of the view that shows them, so that the run page can lead back to it. */
export function ReturningLinks({ children }: { children: ReactNode }) {
  const plain = use(LinkContext)
  const links = useMemo(() => ({ ...plain, Link: ReturningLink }), [plain])
  return (
    <PlainLinks value={plain}>
      <LinkContext value={links}>{children}</LinkContext>
    </PlainLinks>
  )
}

/** Defined once, because a new component for each query would mount every link again and lose the focus. */
function ReturningLink({ href, ...props }: LinkProps) {
  const { Link } = use(PlainLinks)
  const [search] = useSearchParams()
  return <Link {...props} href={paths.returning(href, search)} />
}
