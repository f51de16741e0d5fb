import { mount } from 'svelte';

import App from './App.svelte';
import './style/tokens.css';
import './style/base.css';

// `npm run dev` shows the window on the in-memory backend; every other build has only the real one.
const backend =
  import.meta.env.MODE === 'memory'
    ? (await import('./backend/memory')).memoryFromAddress()
    : (await import('./backend/tauri')).tauri;

mount(App, { target: document.body, props: { backend } });
