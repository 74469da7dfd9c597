import "countersign/panel.js";
