// What a page test needs of the app, bundled by `tools/serve-page-tests.ts`: an app and the React that draws it.
export { createRoot } from 'react-dom/client'
export { App, router } from '#src/app/App.tsx'
