// The parts of CodeMirror that the page uses, as one script with the global name `CodeMirror`. The
// script `make` in this folder bundles them.
export { EditorState } from "@codemirror/state";
export {
  EditorView, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection, placeholder,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export {
  syntaxHighlighting, HighlightStyle, indentUnit, bracketMatching, foldGutter, foldKeymap, indentOnInput,
} from "@codemirror/language";
export { setDiagnostics, lintGutter, lintKeymap } from "@codemirror/lint";
export { search, searchKeymap, highlightSelectionMatches } from "@codemirror/search";
export { yaml } from "@codemirror/lang-yaml";
export { tags } from "@lezer/highlight";
