import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { slug } from 'github-slugger'
import { defineConfig } from 'vitepress'

import { readContents } from '../../src/features/documents/contents.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const chapters = readContents(readFileSync(`${root}/docs/README.md`, 'utf8'))

/** The page of a document, whose file is given relative to `docs/`. */
const pageOf = (file: string) => new URL(file, 'file:///docs/').pathname.replace(/README\.md$/, '').replace(/\.md$/, '')

/** The documents that the app shows at `/docs`, as a site of their own. */
export default defineConfig({
  title: 'Assay',
  description: 'A dashboard for teams that run experiments with software agents',
  // A copy of the documents, because pages find the modules of this package only inside it.
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  rewrites: (file) => file.replace(/README\.md$/, 'index.md'),
  cleanUrls: true,
  lastUpdated: false,
  // Documents name files of the source, and the API reference of the running app.
  ignoreDeadLinks: [/^https?:\/\/(127\.0\.0\.1|localhost)/, (link) => !/(\.md|\/|\/[\w-]+)(#.*)?$/.test(link)],
  markdown: {
    anchor: { slugify: slug },
    html: false,
    // Indented code looks like fenced code.
    config({ renderer: { rules } }) {
      rules.code_block = rules.fence
    },
  },
  themeConfig: {
    nav: [{ text: 'Documents', link: '/docs/' }],
    sidebar: chapters.map(({ title, entries }) => ({
      text: title,
      items: entries.map(({ title: text, file }) => ({ text, link: pageOf(file) })),
    })),
    outline: [2, 3],
    search: {
      provider: 'local',
      // Guides come before records of why something is so. The browser gets the function as text, so it names nothing outside.
      options: {
        miniSearch: {
          searchOptions: {
            boostDocument: (id: string) => (/^\/(bench|docs\/(decisions|api-choices))\//.test(id) ? 0.2 : 1),
          },
        },
      },
    },
  },
})
