"""A first test, which the guide of the Python package shows."""


def test_a_forgotten_password_is_reset(hearth_project):
    hearth_project.sign_up("ann@example.com", "old secret")
    hearth_project.send_password_reset("ann@example.com")
    code = hearth_project.wait_for_code("ann@example.com")
    hearth_project.reset_password(code, "new secret")
    assert hearth_project.sign_in("ann@example.com", "new secret").id_token
