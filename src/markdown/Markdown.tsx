import { type ComponentProps, memo, useId, useMemo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'

import { type Mention, parseMentionUrl } from '#contract/report-blocks/mentions.ts'
import classes from './Markdown.module.css'
import { MentionLink } from './MentionLink.tsx'
import { safeUrl } from './safe-url.ts'
import { TaskBox } from './TaskBox.tsx'
import { textPlugins } from './text-plugins.ts'

type Props = {
  children: string
  /** The link of a mention, if it has one. Without this function, mentions are plain words. */
  mentionHref?: (mention: Mention) => string | undefined
}

/**
 * Renders GitHub Flavored Markdown as React elements. It is safe by construction: no HTML parser is used, so tags stay
 * text; links other than http, https and mailto have no target; an image becomes a link, so reading loads nothing.
 */
export const Markdown = memo(function Markdown({ children, mentionHref }: Props) {
  const id = useId()
  const shown = useMemo(() => (mentionHref ? withMentions(mentionHref) : components), [mentionHref])
  const footnotes = useMemo(() => ({ clobberPrefix: `${id}-` }), [id])
  return (
    <div className={classes.markdown} dir="auto">
      <ReactMarkdown
        remarkPlugins={textPlugins}
        remarkRehypeOptions={footnotes}
        components={shown}
        urlTransform={mentionHref ? urlOrMention : safeUrl}
      >
        {children}
      </ReactMarkdown>
    </div>
  )
})

function TextLink({ href, id, title, 'aria-label': label, children }: ComponentProps<'a'>) {
  return href === undefined ? (
    <span title={title}>{children}</span>
  ) : href.startsWith('#') ? (
    // A link within a footnote. Its aria-describedby is dropped, because all texts on the page share that id.
    <a href={href} id={id} aria-label={label}>
      {children}
    </a>
  ) : (
    <a href={href} title={title} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

const components: Components = {
  a: TextLink,
  img: ({ src, alt }) =>
    src ? (
      <a href={src} target="_blank" rel="noopener noreferrer nofollow">
        {alt ? `Image: ${alt}` : 'Image'}
      </a>
    ) : (
      <span>{alt ? `Image: ${alt}` : 'Image'}</span>
    ),
  input: TaskBox,
  // One level below the headings of the page.
  h1: 'h3',
  h2: ({ children }) => <h4>{children}</h4>,
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
}

const urlOrMention = (url: string) => (parseMentionUrl(url) ? url : safeUrl(url))

const withMentions = (mentionHref: NonNullable<Props['mentionHref']>): Components => ({
  ...components,
  a: ({ href, id, title, 'aria-label': label, children }) => {
    const mention = href === undefined ? null : parseMentionUrl(href)
    if (mention) return <MentionLink href={mentionHref(mention)}>{children}</MentionLink>
    return (
      <TextLink href={href} id={id} title={title} aria-label={label}>
        {children}
      </TextLink>
    )
  },
})
