import './no-eval.ts'
import '#src/app/mantine.css'
import './fonts.css'
import './tokens.css'
import '#src/app/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { watchConnection } from '#src/api/connection.ts'
import { App } from '#src/app/App.tsx'
import { printInLight } from '#src/ui/print-in-light.ts'
import { watchFocus } from '#src/ui/focus-return.ts'

watchConnection()
watchFocus()
printInLight()
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
