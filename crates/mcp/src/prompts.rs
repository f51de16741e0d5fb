//! The prompts that clients offer as slash commands: `init-skills`, which puts the usage guide into
//! the conversation.

use rmcp::{
    ErrorData,
    model::{GetPromptResult, Prompt, PromptMessage, Role},
};

use crate::instructions;

const INIT_SKILLS: &str = "init-skills";
const ABOUT: &str = "Background on how skills work here: how to find them, when to load one, how to use its files.";

/// Every prompt.
pub(crate) fn all() -> Vec<Prompt> {
    vec![Prompt::new(INIT_SKILLS, Some(ABOUT), None).with_title("How to use skills")]
}

/// The messages of one prompt.
pub(crate) fn get(name: &str) -> Result<GetPromptResult, ErrorData> {
    if name != INIT_SKILLS {
        return Err(ErrorData::invalid_params(format!("There is no prompt named {name}."), None));
    }
    let guide = PromptMessage::new_text(Role::User, instructions(false));
    Ok(GetPromptResult::new(vec![guide]).with_description(ABOUT))
}
