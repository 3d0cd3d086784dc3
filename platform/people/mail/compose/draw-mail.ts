import { escapeHtml } from '#platform/ground/http/plain-page.ts'

/** The content of an email, which has the same words as text and as HTML. */
export type MailContent = {
  heading: string
  /** A list below its heading, or sentences. */
  groups: {
    heading?: string | undefined
    entries: { text: string; detail?: string | undefined; link?: string | undefined }[]
  }[]
  button?: { text: string; link: string } | undefined
  /** Below the line: why this arrived, and how to end it. */
  foot: { text: string; link?: { text: string; href: string } | undefined }[]
}

export function drawText({ heading, groups, button, foot }: MailContent): string {
  const filled = groups.filter(({ entries }) => entries.length > 0)
  const lines = filled.flatMap(({ heading: name, entries }) => [
    ...(name ? [name] : []),
    ...entries.flatMap(({ text, detail, link }) => [
      `${name ? '- ' : ''}${text}`,
      ...(detail ? [detail] : []),
      ...(link ? [link] : []),
    ]),
    '',
  ])
  const button_ = button ? [`${button.text}: ${button.link}`, ''] : []
  const below = foot.map(({ text, link }) => (link ? `${text} ${link.text}: ${link.href}` : text).trim())
  return `${[heading, '', ...lines, ...button_, '-- ', ...below].join('\n')}\n`
}

const small = 'font-size:13px;opacity:0.75'

/** Without colors of its own, so that every mail program shows it light or dark as its reader likes. It loads nothing. */
export function drawHtml({ heading, groups, button, foot }: MailContent): string {
  const link = (href: string, text: string, style = '') =>
    `<a href="${escapeHtml(href)}"${style && ` style="${style}"`}>${escapeHtml(text)}</a>`
  const entry = ({ text, detail, link: href }: MailContent['groups'][number]['entries'][number]) =>
    `<li style="margin:0 0 10px">${href ? link(href, text) : escapeHtml(text)}${detail ? `<br><span style="${small}">${escapeHtml(detail)}</span>` : ''}</li>`
  const list = groups.map(({ heading: name, entries }) =>
    name
      ? `<h2 style="font-size:15px;margin:20px 0 8px">${escapeHtml(name)}</h2><ul style="margin:0;padding:0 0 0 18px">${entries.map(entry).join('')}</ul>`
      : entries.map(({ text }) => `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`).join(''),
  )
  const button_ = button
    ? `<p style="margin:20px 0">${link(button.link, button.text, 'display:inline-block;padding:9px 16px;border:1px solid;border-radius:6px;text-decoration:none;font-weight:600')}</p>`
    : ''
  const below = foot.map(({ text, link: end }) => `${escapeHtml(text)}${end ? ` ${link(end.href, end.text)}` : ''}`)
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(heading)}</title><style>:root { color-scheme: light dark; supported-color-schemes: light dark; }</style></head>
<body style="margin:0;padding:24px 16px;font:15px/1.5 -apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:600px">
<h1 style="font-size:18px;line-height:1.35;margin:0 0 12px">${escapeHtml(heading)}</h1>
${list.join('\n')}
${button_}
<hr style="border:0;border-top:1px solid;opacity:0.25;margin:24px 0 12px">
<p style="${small};margin:0">${below.join('<br>')}</p>
</div>
</body>
</html>
`
}
