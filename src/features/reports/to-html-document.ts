const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A page of its own around what the preview rendered, which holds no HTML of anybody's. */
export const toHtmlDocument = (title: string, content: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title.replaceAll(/[&<>"]/g, (mark) => entities[mark] ?? mark)}</title>
<style>
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif }
pre { overflow-x: auto; padding: .5rem .75rem; background: #f7f7f8 }
blockquote { margin-left: 0; padding-left: .75rem; border-left: 2px solid #d3d3d9 }
table { border-collapse: collapse } th, td { padding: .25rem .75rem .25rem 0; text-align: left; border-bottom: 1px solid #e7e7ea }
figure { margin: 1rem 0; padding: .5rem .75rem; border: 1px solid #e7e7ea }
figcaption > * { margin-right: .5rem }
svg { max-width: 100% }
</style>
${content}
</html>
`
