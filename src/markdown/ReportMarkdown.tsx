import { isValidElement, memo, type ReactNode, use, useMemo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'

import { type Mention, parseMentionUrl } from '#contract/report-blocks/mentions.ts'
import { LinkContext } from '#src/ui/LinkContext.ts'
import { markCallouts } from './mark-callouts.ts'
import classes from './ReportMarkdown.module.css'
import { safeUrl } from './safe-url.ts'
import { TaskBox } from './TaskBox.tsx'
import { textPlugins } from './text-plugins.ts'

/** Positions in the markdown. */
type SourceRange = { from: number; to: number }

type Props = {
  children: string
  /** The link of a mention, if it has one. */
  mentionHref: (mention: Mention) => string | undefined
  /**
   * Shows a fenced block of a language that has a drawing, such as `insight` and `chart`; `place` is its range including
   * the fences. Undefined shows it as code.
   */
  renderBlock: (block: { language: string; text: string; place: SourceRange }) => ReactNode | undefined
}

const plugins = [...textPlugins, markCallouts]

/** URLs allowed in a report besides those allowed everywhere: mentions and pages of this app. */
const reportUrl = (url: string) => (parseMentionUrl(url) || /^\/(?![/\\])/.test(url) ? url : safeUrl(url))

/**
 * Renders a report: GitHub Flavored Markdown, callouts, mentions and insights. As safe as `Markdown`: no HTML, no
 * images.
 */
export const ReportMarkdown = memo(function ReportMarkdown({ children, mentionHref, renderBlock }: Props) {
  const components = useMemo(() => componentsFor(mentionHref, renderBlock), [mentionHref, renderBlock])
  return (
    <div className={classes.report} dir="auto">
      <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={reportUrl}>
        {children}
      </ReactMarkdown>
    </div>
  )
})

const componentsFor = (mentionHref: Props['mentionHref'], renderBlock: Props['renderBlock']): Components => ({
  a: ({ href, id, title, 'aria-label': label, children }) => {
    const mention = href === undefined ? null : parseMentionUrl(href)
    if (mention) return <MentionLink href={mentionHref(mention)}>{children}</MentionLink>
    if (href?.startsWith('/')) return <InnerLink href={href}>{children}</InnerLink>
    if (href === undefined) return <span title={title}>{children}</span>
    if (href.startsWith('#')) {
      return (
        <a href={href} id={id} aria-label={label}>
          {children}
        </a>
      )
    }
    return (
      <a href={href} title={title} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    )
  },
  img: ({ src, alt }) => {
    const words = alt ? `Image: ${alt}` : 'Image'
    if (typeof src !== 'string' || parseMentionUrl(src)) return <span>{words}</span>
    return (
      <a href={src} target="_blank" rel="noopener noreferrer nofollow">
        {words}
      </a>
    )
  },
  pre: ({ node, children }) => {
    const code = isValidElement<{ className?: string; children?: ReactNode }>(children) ? children.props : undefined
    const language = /^language-(\S+)$/.exec(code?.className ?? '')?.[1]
    if (!language || typeof code?.children !== 'string') return <pre>{children}</pre>
    const { start, end } = node?.position ?? {}
    const place = { from: start?.offset ?? 0, to: end?.offset ?? 0 }
    return renderBlock({ language, text: code.children, place }) ?? <pre>{children}</pre>
  },
  input: TaskBox,
  blockquote: ({ children, ...props }) => {
    const kind: unknown = 'data-callout' in props ? props['data-callout'] : undefined
    if (typeof kind !== 'string') return <blockquote>{children}</blockquote>
    return (
      <blockquote data-callout={kind}>
        <strong className={classes.calloutKind}>{kind}</strong>
        {children}
      </blockquote>
    )
  },
  // One level below the title of the report.
  h1: 'h2',
  h2: 'h3',
  h3: 'h4',
  h4: 'h5',
  h5: 'h6',
})

function MentionLink({ href, children }: { href: string | undefined; children?: ReactNode }) {
  if (href === undefined) return <span className={classes.mention}>{children}</span>
  return <InnerLink href={href}>{children}</InnerLink>
}

function InnerLink({ href, children }: { href: string; children?: ReactNode }) {
  const { Link } = use(LinkContext)
  return (
    <Link href={href} className={classes.mention}>
      {children}
    </Link>
  )
}
