// The editor's behaviour and look. Colours and sizes come from the window's tokens, which apply in the shadow root.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yamlFrontmatter, yamlLanguage } from '@codemirror/lang-yaml';
import { HighlightStyle, Language, defineLanguageFacet, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, RangeSet, StateEffect, StateField, type Extension, type Text, type TransactionSpec } from '@codemirror/state';
import { Decoration, EditorView, GutterMarker, drawSelection, gutter, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { styleTags, tags } from '@lezer/highlight';
import { GFM, parser } from '@lezer/markdown';

import type { Problem } from '../../backend/types';
import { t, translated } from '../../text';

/** Replaces the problems that are underlined. */
export const showProblems = StateEffect.define<Problem[]>();

const words = new Compartment();

/** What the editor says, in the language that is shown. */
const spoken = (): Extension => [
  EditorState.phrases.of({
    Find: t('find.find'),
    Replace: t('find.replaceBy'),
    next: t('find.next'),
    previous: t('find.previous'),
    replace: t('find.replace'),
    'replace all': t('find.replaceAll'),
    close: t('dialog.close'),
    'Go to line': t('find.goToLine'),
    go: t('find.go'),
    'current match': t('find.current'),
    'on line': t('find.onLine'),
    'replaced $ matches': t('find.replaced'),
    'replaced match on line $': t('find.replacedAt'),
    'Selection deleted': t('find.deleted'),
  }),
  EditorView.contentAttributes.of({ 'aria-label': t('edit.field'), spellcheck: 'false' }),
];

/** Lets an editor that was opened before speak the language that is shown now. */
export const inLanguage = (): TransactionSpec => ({ effects: words.reconfigure(spoken()) });

export function extensions(readOnly: boolean): Extension {
  return [
    problems,
    problemGutter,
    lineNumbers(),
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    keymap.of([{ key: 'Mod-.', run: fixAtCaret }, ...defaultKeymap, ...historyKeymap, ...searchKeymap]),
    yamlFrontmatter({ content: markdown }),
    syntaxHighlighting(colours),
    syntaxHighlighting(yamlColours),
    EditorState.readOnly.of(readOnly),
    EditorState.tabSize.of(4),
    words.of(spoken()),
    look,
  ];
}

// The marks before a heading look like the heading.
const markdown = new Language(defineLanguageFacet(), parser.configure([GFM, { props: [styleTags({ HeaderMark: tags.heading })] }]), [], 'markdown');

const severityClass = { error: 'err', warning: 'warn', advice: 'hint' };

const problems = StateField.define<{ shown: Problem[]; stale: boolean; marks: RangeSet<Decoration> }>({
  create: () => ({ shown: [], stale: false, marks: Decoration.none }),
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(showProblems)) return { shown: effect.value, stale: false, marks: marksOf(effect.value, transaction.state.doc) };
    }
    // The fixes only fit the text that was checked.
    return transaction.docChanged ? { ...value, stale: true, marks: value.marks.map(transaction.changes) } : value;
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.marks),
});

function marksOf(shown: Problem[], doc: Text): RangeSet<Decoration> {
  const ranges = shown.flatMap((problem) => {
    const from = Math.min(problem.from, doc.length);
    // An empty range would be invisible: the character after it carries the line.
    const to = Math.min(Math.max(problem.to, from + 1), doc.length);
    if (from >= to) return [];
    return [Decoration.mark({ class: severityClass[problem.severity], attributes: { title: translated(problem.message) }, severity: problem.severity }).range(from, to)];
  });
  return Decoration.set(ranges, true);
}

/** Applies the fix of a problem under the caret, or else of one on its line. */
function fixAtCaret(view: EditorView): boolean {
  const { head } = view.state.selection.main;
  const line = view.state.doc.lineAt(head);
  const { shown, stale } = view.state.field(problems);
  if (stale || view.state.readOnly) return false;
  const fixable = shown.filter((problem) => problem.fix);
  const here = fixable.find((problem) => problem.from <= head && head <= problem.to) ?? fixable.find((problem) => problem.from <= line.to && line.from <= problem.to);
  if (!here?.fix) return false;
  view.dispatch({ changes: here.fix.splices, userEvent: 'input.fix' });
  return true;
}

const shapes = {
  error: { label: 'problem', path: 'M6 1 11.4 10.6H.6Z' },
  warning: { label: 'needs', path: 'M6 .6 11.4 6 6 11.4.6 6Z' },
  advice: { label: 'off', path: 'M6 2.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 1 1 0-7' },
};

class ProblemMark extends GutterMarker {
  constructor(readonly severity: Problem['severity']) {
    super();
  }

  override eq(other: ProblemMark) {
    return other.severity === this.severity;
  }

  override toDOM() {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 12 12');
    svg.setAttribute('class', `shape ${shapes[this.severity].label}`);
    const path = svg.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'path'));
    path.setAttribute('d', shapes[this.severity].path);
    return svg;
  }
}

const marks = { error: new ProblemMark('error'), warning: new ProblemMark('warning'), advice: new ProblemMark('advice') };

const problemGutter = gutter({
  class: 'cm-problems',
  lineMarker(view, line) {
    let worst: Problem['severity'] | undefined;
    view.state.field(problems).marks.between(line.from, line.to, (from, _to, mark) => {
      const severity = mark.spec.severity as Problem['severity'];
      const order: Problem['severity'][] = ['error', 'warning', 'advice'];
      if (from >= line.from && (worst === undefined || order.indexOf(severity) < order.indexOf(worst))) worst = severity;
    });
    return worst ? marks[worst] : null;
  },
  lineMarkerChange: (update) => update.startState.field(problems) !== update.state.field(problems),
});

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--code-key)' },
  { tag: [tags.string, tags.monospace, tags.attributeValue, tags.number, tags.bool, tags.atom], color: 'var(--code-str)' },
  { tag: tags.heading, color: 'var(--code-head)', fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent-text)' },
  { tag: [tags.comment, tags.meta, tags.contentSeparator, tags.quote], color: 'var(--code-dim)' },
]);

// A plain value of YAML and a paragraph of Markdown share a tag; only the value has a colour.
const yamlColours = HighlightStyle.define([{ tag: tags.content, color: 'var(--code-str)' }], { scope: yamlLanguage });

const wave = { textDecorationLine: 'underline', textDecorationStyle: 'wavy', textDecorationThickness: '1px', textUnderlineOffset: '4px', textDecorationSkipInk: 'none' };

const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--bg-field)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'var(--fw) 0.8125rem/1.375rem var(--mono)', fontVariantLigatures: 'none', scrollbarWidth: 'thin', scrollbarColor: 'var(--line-2) transparent' },
  '.cm-content': { padding: 'var(--s2) 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 var(--s5) 0 0' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--text-3)', border: '0' },
  '.cm-problems': { width: '20px' },
  '.cm-problems .cm-gutterElement': { padding: '6px 0 0 8px' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '32px', padding: '0 14px 0 0', fontSize: '0.75rem' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--bg-hover)' },
  '.cm-activeLineGutter': { color: 'var(--text)' },
  '.cm-cursor': { borderLeft: '2px solid var(--accent)' },
  // The page's own rule does not reach in here.
  '@media (prefers-reduced-motion: reduce)': { '.cm-cursorLayer': { animation: 'none !important' } },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--bg-select)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--accent-soft)' },
  '.shape': { display: 'block', width: '10px', height: '10px', fill: 'currentColor', stroke: 'currentColor', strokeLinejoin: 'round' },
  '.problem': { color: 'var(--problem)' },
  '.needs': { color: 'var(--needs)' },
  '.off': { color: 'var(--off)', fill: 'none', strokeWidth: '1.5' },
  '.err': { ...wave, textDecorationColor: 'var(--problem)' },
  '.warn': { ...wave, textDecorationColor: 'var(--needs)' },
  '.hint': { ...wave, textDecorationStyle: 'dotted', textDecorationColor: 'var(--off)' },
  '.cm-panels': { backgroundColor: 'var(--bg-list)', color: 'var(--text)', font: 'var(--fw) var(--fs)/var(--lh) var(--font)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px', padding: '8px 44px 8px 12px' },
  // Plain search is enough here, so its options are hidden.
  '.cm-panel.cm-search label, .cm-panel.cm-search br, .cm-panel.cm-search [name=select]': { display: 'none' },
  '.cm-panel.cm-search [name=close]': { top: '8px', right: '8px', width: '28px', height: '28px', borderRadius: 'var(--r)', fontSize: '16px', color: 'var(--text-2)' },
  '.cm-panel.cm-search .cm-textfield': { width: '144px', margin: '0', fontSize: 'var(--fs)' },
  '.cm-panel.cm-search .cm-button': { margin: '0', fontSize: 'var(--fs)', fontWeight: 'var(--fw-m)' },
  '.cm-button:hover, .cm-panel.cm-search [name=close]:hover': { backgroundColor: 'var(--bg-hover)' },
  '.cm-textfield:focus-visible, .cm-button:focus-visible, [name=close]:focus-visible': { outline: '2px solid var(--focus)', outlineOffset: '-1px' },
  '.cm-searchMatch': { backgroundColor: 'var(--needs-soft)', outline: '1px solid var(--needs)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--bg-select)' },
  '.cm-textfield': { height: '28px', padding: '0 8px', border: '1px solid var(--edge)', borderRadius: 'var(--r)', backgroundColor: 'var(--bg-field)', color: 'var(--text)', font: 'inherit' },
  '.cm-button': { height: '28px', padding: '0 10px', border: '1px solid var(--line-2)', borderRadius: 'var(--r)', backgroundImage: 'none', backgroundColor: 'var(--bg-raised)', color: 'var(--text)', font: 'inherit' },
});
