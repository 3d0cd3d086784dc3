/** Fixed words in our paths; every other part of a path is an id. */
const pathWords = new Set(
  'experiments import runs reports insights context secrets credits usage notifications suggestions suggest history settings organization keys profile general members invitations webhooks run-policy retention model-providers mail audit schedules search commits definition results tasks new query compare'.split(
    ' ',
  ),
)

/**
 * `/runs/1f…` → `/runs/:id`: pages of one kind have the same buttons. A run and a request share a path and differ in
 * `::`; the views of results share all but a parameter.
 */
export function kindOf(href: string) {
  const { pathname, searchParams } = new URL(href, 'http://here')
  const parts = pathname.split('/').map((part) => (pathWords.has(part) || part === '' ? part : idOf(part)))
  const view = searchParams.get('view')
  return parts.join('/') + (view ? `?view=${view}` : '')
}

/** A link that opens a dialog leads to the page behind it. */
export function pageBehind(href: string) {
  const { pathname, searchParams, hash } = new URL(href, 'http://here')
  for (const dialog of ['fork', 'submit', 'schedule', 'budget', 'new']) searchParams.delete(dialog)
  return `${pathname}${searchParams.size > 0 ? `?${searchParams}` : ''}${hash}`
}

const idOf = (part: string) => (part.includes('%3A%3A') ? ':run' : ':id')
