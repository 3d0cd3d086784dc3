import { createHash } from 'node:crypto'

const style = `
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f4f5f7, #16181d); }
  main { width: min(26rem, calc(100vw - 4rem)); padding: 2rem; border: 1px solid light-dark(#d9dce1, #343841);
    border-radius: 8px; background: light-dark(#fff, #1d2026); }
  h1 { margin: 0 0 .25rem; font-size: 1.25rem; }
  p { margin: .5rem 0; }
  .test { padding: .5rem .75rem; border-radius: 6px; background: light-dark(#fff3d6, #3b2f12); }
  .amount { font-size: 2rem; font-weight: 600; font-variant-numeric: tabular-nums; }
  form { display: flex; gap: .75rem; align-items: center; margin-top: 1.25rem; }
  button { font: inherit; font-weight: 600; padding: .5rem 1rem; border: 0; border-radius: 6px; cursor: pointer;
    color: #fff; background: #2f5fd0; }
  a { color: light-dark(#2f5fd0, #8fb0ff); }
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** The page runs no script and loads nothing, and its form can only post to its own origin. */
export const plainPagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** A page of the platform itself, for people without the app. `body` is HTML. */
export const plainPage = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main>
<h1>${escapeHtml(title)}</h1>
${body}
</main></body>
</html>`
