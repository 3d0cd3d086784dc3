import remarkGfm from 'remark-gfm'

/** As much of unified's processor as this reads. */
type Processor = { data: () => { micromarkExtensions?: unknown[] } }

/**
 * What looks like HTML is read as words. Read as HTML it would be shown as words all the same, but a comment that nobody
 * closed would take everything after it along.
 */
function keepTagsAsText(this: unknown) {
  const data = (this as Processor).data()
  data.micromarkExtensions ??= []
  data.micromarkExtensions.push({ disable: { null: ['htmlFlow', 'htmlText'] } })
}

/** GitHub's markdown without its HTML. */
export const textPlugins = [remarkGfm, keepTagsAsText]
