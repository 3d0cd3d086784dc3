import { Markdown } from '#src/markdown/Markdown.tsx'
import { Section } from '#src/ui/Section.tsx'

const texts = import.meta.glob<string>(['/docs/sql.md', '/docs/definition.md'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** A line break within a paragraph or a list item, which our markdown would show. */
const wrapped = /(?<=\S)\n {0,3}(?=[^\s#|-])(?!\d+\. )/g

/** A document of the folder `docs`: its introduction, and one section for each second-level heading. */
export function ReferenceDocument({ name }: { name: 'sql' | 'definition' }) {
  const text = (texts[`/docs/${name}.md`] ?? '').replaceAll(wrapped, ' ')
  const [introduction = '', ...sections] = text.split(/^## /m)
  return (
    <>
      <Markdown>{introduction.replace(/^# .*\n/, '')}</Markdown>
      {sections.map((section) => {
        const [title = '', ...body] = section.split('\n')
        return (
          <Section key={title} title={title}>
            <Markdown>{body.join('\n')}</Markdown>
          </Section>
        )
      })}
    </>
  )
}
